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

/** Words that end a conversation without content: a customer who writes "never mind" expects no answer. */
const dismissals = new Set(
  (
    'whatever|never mind|nevermind|forget it|forget about it|forget that|leave it|egal|schon gut|vergessen sie es|vergiss es|' +
    'hat sich erledigt|glem det|skitt au|laissez tomber|peu importe|olvídelo|déjalo|lascia perdere|laat maar|забудьте|неважно'
  ).split('|'),
)

/** Whether a customer only confirms, thanks or gives up, so that nobody has to answer. */
export function isThanks(body: string): boolean {
  if (body.length > 200 || body.includes('?')) return false
  if (
    dismissals.has(
      body
        .toLowerCase()
        .replaceAll(/[^\p{L}]+/gu, ' ')
        .trim(),
    )
  )
    return true
  const said = body.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? []
  if (said.length === 1 && said[0] === 'no') return true
  return said.length <= MOST_WORDS && said.some((word) => words.has(word))
}
