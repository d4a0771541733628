/**
 * Marks what a dialog or wizard focuses instead of its closing cross: the first field, or the text before it if there
 * is no field, or if the field is a list, which would open.
 */
export function focusFirstField(body: HTMLElement | null): void {
  if (!body || body.querySelector('[data-autofocus]')) return
  const field = body.querySelector('input:enabled:not([type=hidden], [type=file]), textarea:enabled')
  const opens = field?.hasAttribute('aria-haspopup')
  ;(field && !opens ? field : body).setAttribute('data-autofocus', '')
}
