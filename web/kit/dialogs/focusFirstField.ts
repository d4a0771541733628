/**
 * Marks what a dialog or wizard focuses instead of its closing cross: the first field. Without a field, or with a list as the first
 * field, which would open, the text has the focus.
 */
export function focusFirstField(body: HTMLElement | null): void {
  if (!body || body.querySelector('[data-autofocus]')) return
  const field = body.querySelector('input:enabled:not([type=hidden], [type=file]), textarea:enabled')
  const opens = field?.hasAttribute('aria-haspopup')
  ;(field && !opens ? field : body).setAttribute('data-autofocus', '')
}
