const MOST_TRIES = 6
const FIRST_PAUSE = 500

/**
 * Requests a stylesheet again after a failed load. The import of a screen requests each stylesheet once and treats an
 * existing link as loaded, so that a short interruption would leave the screen unstyled until a reload.
 */
export function keepStylesheets(): void {
  const failed = ({ target }: Event) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    const tries = Number(target.dataset.tries ?? 0)
    if (tries >= MOST_TRIES) return // missing for good after an update; the screen reports the error
    const again = target.cloneNode() as HTMLLinkElement // a clone of a link is a link
    again.dataset.tries = String(tries + 1)
    setTimeout(() => target.replaceWith(again), FIRST_PAUSE * 2 ** tries)
  }
  document.addEventListener('error', failed, { capture: true }) // load errors do not bubble
}
