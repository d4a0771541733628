/** Words with which customers thank, in their languages: they end a conversation whatever stands beside them. */
const thanks = new Set(
  (
    'thanks thank thx ty cheers danke dank takk tack merci gracias obrigado obrigada grazie bedankt dziękuję děkuji спасибо ' +
    'teşekkürler kiitos tak'
  ).split(' '),
)
/** Words with which customers confirm. With a denial beside them, as in "nothing works", they complain. */
const confirmations = new Set(
  (
    'ok okay k great perfect excellent super fine good cool nice wonderful works work worked working solved fixed done clear ' +
    'confirmed received arrived understood changed signed found registered bye back passt erledigt geht funktioniert wunderbar gut ' +
    'angekommen supert virker compris parfait perfecto funciona perfeito risolto ottimo fijn top działa работает'
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

const denials =
  /(?:^|[^\p{L}])(?:nothing|not|never|cannot|\p{L}+n['’]t|nichts?|ikke|inte|rien|pas|não|nada|niente|non|niets|niet|nic|nie|не|ничего)(?!\p{L})/u

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
  const text = body.toLowerCase()
  const said = text.match(/[\p{L}\p{N}'’]+/gu) ?? []
  if (said.length === 1 && said[0] === 'no') return true
  if (said.length > MOST_WORDS) return false
  return said.some((word) => thanks.has(word)) || (said.some((word) => confirmations.has(word)) && !denials.test(text))
}
