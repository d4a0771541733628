const OVERLAY = '[role="menu"], [role="dialog"]'
/** Milliseconds after which a menu or dialog that closes has left the page. */
const CLOSED = 300

/**
 * When a menu or dialog closes with the focus in it, the focus returns to the button that had it before. Browsers drop it to
 * the body, from where the keyboard starts again at the top of the page. A dialog that a menu item opens returns to the
 * button of the menu, because the item is gone.
 */
export function keepFocus(): void {
  let last: Element | undefined
  let before: HTMLElement | undefined
  const check = () => {
    const isLost = document.activeElement === document.body && last && !last.isConnected
    if (isLost && before?.isConnected) before.focus({ preventScroll: true })
  }
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    last = target
    if (!target.closest(OVERLAY)) before = target
  })
  document.addEventListener('focusout', () => setTimeout(check, CLOSED))
}
