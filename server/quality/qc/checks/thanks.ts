/** Words with which customers end a conversation, in the languages of customers. */
const words = new Set(
  (
    'ok okay k thanks thank thx ty cheers great perfect excellent super fine good cool nice wonderful works work worked working solved fixed ' +
    'done clear confirmed received arrived understood changed signed found registered bye back danke dank passt erledigt ' +
    'geht funktioniert wunderbar gut angekommen takk supert virker tack merci compris parfait gracias perfecto funciona obrigado ' +
    'obrigada perfeito grazie risolto ottimo bedankt fijn top dziękuję działa děkuji спасибо работает teşekkürler kiitos tak'
  ).split(' '),
)
const MOST_WORDS = 9

/** Whether a customer only confirms or thanks, so that nobody has to answer. */
export function isThanks(body: string): boolean {
  if (body.length > 200 || body.includes('?')) return false
  const said = body.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []
  if (said.length === 1 && said[0] === 'no') return true
  return said.length <= MOST_WORDS && said.some((word) => words.has(word))
}
