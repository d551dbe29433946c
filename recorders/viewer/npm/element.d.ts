/** <tickreel-viewer src="match.butter">. Dispatches "open" and "error". */
export class TickreelViewer extends HTMLElement {}

declare global {
  interface HTMLElementTagNameMap {
    'tickreel-viewer': TickreelViewer;
  }
}
