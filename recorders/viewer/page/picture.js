// The picture, with the score and cards over it, as an image and as a video.
import { saveFile } from './dom.js';

const framesASecond = 30;
const bitsASecond = 8_000_000;
const usualWidth = 1280;
const maxWidth = 1920;

const clear = /^(transparent|rgba\(.*, 0\))$/;

// Boxes and texts of an element, as the page shows them, onto a canvas over the picture in `frame`.
function paintElements(pen, root, frame, scale) {
  const range = document.createRange();
  for (const element of [root, ...root.querySelectorAll('*')]) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.bottom <= frame.top || box.top >= frame.bottom - 1) continue;
    if (element instanceof HTMLCanvasElement) {
      if (element.width > 1) pen.drawImage(element, 0, 0, pen.canvas.width, pen.canvas.height);
      continue;
    }
    const style = getComputedStyle(element);
    if (style.visibility === 'hidden') continue;
    const place = [box.left - frame.left, box.top - frame.top, box.width, box.height].map((value) => value * scale);
    const [left, top, wide, high] = place;
    if (!clear.test(style.backgroundColor)) {
      pen.fillStyle = style.backgroundColor;
      pen.beginPath();
      pen.roundRect(left, top, wide, high, (parseFloat(style.borderTopLeftRadius) || 0) * scale);
      pen.fill();
    }
    for (const side of ['Left', 'Right']) {
      const edge = parseFloat(style[`border${side}Width`]) * scale;
      if (!(edge >= 3 * scale)) continue;
      pen.fillStyle = style[`border${side}Color`];
      pen.fillRect(side === 'Left' ? left : left + wide - edge, top, edge, high);
    }
    for (const node of element.childNodes) {
      if (node.nodeType !== 3 || !node.textContent.trim()) continue;
      range.selectNodeContents(node);
      const at = range.getBoundingClientRect();
      pen.save();
      pen.beginPath();
      pen.rect(left, top, wide, high);
      pen.clip();
      pen.font = `${style.fontWeight} ${parseFloat(style.fontSize) * scale}px ${style.fontFamily}`;
      pen.fillStyle = style.color;
      pen.textBaseline = 'middle';
      pen.fillText(node.textContent, (at.left - frame.left) * scale, (at.top + at.height / 2 - frame.top) * scale);
      pen.restore();
    }
  }
}

// A canvas for pictures of a stage, and what paints the next one onto it. `view`: of stage_view.js.
function canvasOf(view) {
  const canvas = document.createElement('canvas');
  const { width, height } = view.host.getBoundingClientRect();
  const scale = Math.min(Math.max(usualWidth / width, window.devicePixelRatio || 1), maxWidth / width);
  // Encoders of videos want even numbers.
  canvas.width = Math.max(2, Math.round((width * scale) / 2) * 2);
  canvas.height = Math.max(2, Math.round((height * scale) / 2) * 2);
  const pen = canvas.getContext('2d');
  const paint = () => {
    view.paintOnto(pen);
    for (const element of view.overlays) paintElements(pen, element, view.host.getBoundingClientRect(), scale);
  };
  return { canvas, paint };
}

const fileName = (name) => name.replace(/[^\w.-]+/g, '_').slice(0, 80);

export async function savePicture(view, name) {
  const { canvas, paint } = canvasOf(view);
  paint();
  const blob = await new Promise((done) => canvas.toBlob(done));
  if (!blob) throw new Error('The picture could not be made.');
  saveFile(`${fileName(name)}.png`, blob);
}

export const videoType = () =>
  ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm', 'video/mp4'].find((type) =>
    window.MediaRecorder?.isTypeSupported(type),
  );

// What the picture shows from now on as a video, until stop(), which gives {blob, ending}.
export function recordVideo(view) {
  const type = videoType();
  if (!type) throw new Error('This browser records no videos.');
  const { canvas, paint } = canvasOf(view);
  paint();
  const recorder = new MediaRecorder(canvas.captureStream(framesASecond), {
    mimeType: type,
    videoBitsPerSecond: bitsASecond,
  });
  const pieces = [];
  recorder.ondataavailable = ({ data }) => data.size && pieces.push(data);
  const ended = new Promise((done, fail) => {
    recorder.onstop = done;
    recorder.onerror = (event) => fail(event.error ?? new Error('The video could not be recorded.'));
  });
  let frame = 0;
  let painted = performance.now();
  const next = (now) => {
    frame = requestAnimationFrame(next);
    if (now - painted < 1000 / framesASecond - 4) return;
    painted = now;
    paint();
  };
  recorder.start(1000);
  frame = requestAnimationFrame(next);
  return {
    async stop() {
      cancelAnimationFrame(frame);
      if (recorder.state !== 'inactive') recorder.stop();
      await ended;
      return { blob: new Blob(pieces, { type }), ending: type.includes('mp4') ? 'mp4' : 'webm' };
    },
  };
}

export const saveVideo = (name, { blob, ending }) => saveFile(`${fileName(name)}.${ending}`, blob);
