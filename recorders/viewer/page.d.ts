// What the type checker does not know of the browser and the bundler.
declare module '*.css';
interface Window {
  tickreel: any;
}
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
