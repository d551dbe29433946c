// <tickreel-viewer src="match.butter">: the viewer's page with a recording, in a frame. The page, in the package's
// folder `viewer`, has to be on the server of the document, because the recording is passed to it as a dropped file.
const page = new URL('./viewer/index.html', import.meta.url);

export class TickreelViewer extends HTMLElement {
  static observedAttributes = ['src'];
  #opening = 0;

  connectedCallback() {
    this.style.display ||= 'block';
    if (!this.style.height) this.style.height = '600px';
    this.#open();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#open();
  }

  async #open() {
    const mine = ++this.#opening;
    const source = this.getAttribute('src');
    if (!source) return this.replaceChildren();
    const frame = document.createElement('iframe');
    frame.title = 'Tickreel viewer';
    frame.style.cssText = 'width: 100%; height: 100%; border: 0';
    frame.src = page.href;
    this.replaceChildren(frame);
    try {
      const address = new URL(source, document.baseURI);
      const [got] = await Promise.all([
        fetch(address),
        new Promise((loaded) => frame.addEventListener('load', loaded, { once: true })),
      ]);
      if (!got.ok) throw new Error(`${address.href} cannot be loaded: ${got.status}`);
      const name = decodeURIComponent(address.pathname.split('/').pop()) || 'recording';
      const file = new File([await got.blob()], name);
      await this.#isWelcoming(frame);
      if (mine !== this.#opening) return;
      const { DataTransfer, DragEvent } = frame.contentWindow;
      const dropped = new DataTransfer();
      dropped.items.add(file);
      frame.contentWindow.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, cancelable: true }));
      this.dispatchEvent(new CustomEvent('open', { detail: { name } }));
    } catch (error) {
      if (mine === this.#opening) this.dispatchEvent(new CustomEvent('error', { detail: error }));
    }
  }

  // The page first asks its server for a recording, and then shows where to drop one.
  #isWelcoming(frame) {
    const host = frame.contentDocument.getElementById('app');
    if (host.querySelector('.welcome')) return Promise.resolve();
    return new Promise((done) => {
      const observer = new MutationObserver(() => {
        if (!host.querySelector('.welcome')) return;
        observer.disconnect();
        done();
      });
      observer.observe(host, { childList: true, subtree: true });
    });
  }
}

customElements.define('tickreel-viewer', TickreelViewer);
