/** The segments of a text message: GSM 03.38 with its extension table, or UCS-2 if one character is in neither. */

const BASIC = new Set(
  `@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà`,
)
/** Characters sent as an escape and a second septet. */
const EXTENSION = new Set('\f^{}\\[~]|€')

const limits = { 'GSM-7': { alone: 160, each: 153 }, 'UCS-2': { alone: 70, each: 67 } }

export interface Segments {
  encoding: 'GSM-7' | 'UCS-2'
  /** Characters as people count them: a flag or an emoji is one. */
  characters: number
  /** Septets or 16-bit units, to which the limits apply. */
  units: number
  segments: number
  /** Units that still fit into the last segment. */
  left: number
  /** The characters that require UCS-2, without duplicates. */
  beyond: string[]
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Counts as a gateway does: a segment never splits an escape or a surrogate pair. */
export function countSegments(text: string): Segments {
  const symbols = [...text]
  const beyond = [...new Set(symbols.filter((symbol) => !BASIC.has(symbol) && !EXTENSION.has(symbol)))]
  const encoding = beyond.length ? 'UCS-2' : 'GSM-7'
  const costs = symbols.map((symbol) => (encoding === 'UCS-2' ? symbol.length : EXTENSION.has(symbol) ? 2 : 1))
  const units = costs.reduce((sum, cost) => sum + cost, 0)
  const characters = [...graphemes.segment(text)].length
  const { alone, each } = limits[encoding]
  if (units <= alone) return { encoding, characters, units, segments: units ? 1 : 0, left: alone - units, beyond }
  let segments = 1
  let used = 0
  for (const cost of costs) {
    if (used + cost > each) {
      segments += 1
      used = 0
    }
    used += cost
  }
  return { encoding, characters, units, segments, left: each - used, beyond }
}
