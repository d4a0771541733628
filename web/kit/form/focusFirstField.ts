/**
 * Marks what the dialog focuses instead of its closing cross: the first field, or the form before it if the field is a list,
 * which would open.
 */
export function focusFirstField(form: HTMLElement | null): void {
  if (!form || form.querySelector('[data-autofocus]')) return
  const field = form.querySelector('input:enabled:not([type=hidden]), textarea:enabled')
  const opens = field?.hasAttribute('aria-haspopup')
  ;(field && !opens ? field : form).setAttribute('data-autofocus', '')
}
