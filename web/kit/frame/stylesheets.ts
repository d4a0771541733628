const MOST_TRIES = 6
const FIRST_PAUSE = 500

/**
 * Asks again for a stylesheet that did not arrive. Whoever imports a screen asks for its stylesheets once and takes a link
 * in the page for one that is there: after a moment without a line the screen would stand there bare until a reload.
 */
export function keepStylesheets(): void {
  const failed = ({ target }: Event) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    const tries = Number(target.dataset.tries ?? 0)
    if (tries >= MOST_TRIES) return // after an update it is gone for good, and the screen says so itself
    const again = target.cloneNode() as HTMLLinkElement // a clone is of its own kind
    again.dataset.tries = String(tries + 1)
    setTimeout(() => target.replaceWith(again), FIRST_PAUSE * 2 ** tries)
  }
  document.addEventListener('error', failed, { capture: true }) // it does not bubble
}
