/** The messages of SMPP that the practice operator understands, by their number without the bit of a response. */
export const commands = { bind: [1, 2, 9], submit: 4, deliver: 5, unbind: 6, enquire: 21 }
export const RESPONSE = 0x8000_0000
const gsm =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001BÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const escaped: Record<number, string> = {
  20: '^',
  40: '{',
  41: '}',
  47: '\\',
  60: '[',
  61: '~',
  62: ']',
  64: '|',
  101: '€',
}

/** Decodes the text of a message: UCS-2, or the alphabet of GSM. */
export function read(bytes: Buffer, coding: number): string {
  if ((coding & 0x0c) === 0x08) return Buffer.from(bytes).swap16().toString('utf16le')
  let text = ''
  for (let n = 0; n < bytes.length; n++) text += bytes[n] === 27 ? (escaped[bytes[++n] ?? 0] ?? '') : gsm[bytes[n] ?? 0]
  return text
}

/** A message of SMPP: the head, then the body. */
export function pdu(command: number, status: number, sequence: number, body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(16)
  for (const [n, value] of [16 + body.length, command, status, sequence].entries())
    head.writeUInt32BE(value >>> 0, 4 * n)
  return Buffer.concat([head, body])
}
/** A text that a zero byte ends. */
export const word = (text: string) => Buffer.from(`${text}\0`, 'latin1')
