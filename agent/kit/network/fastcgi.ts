import { connect } from 'node:net'
import { patience } from '../patience/patience.ts'

const begin = 1
const params = 4
const stdin = 5
const stdout = 6

/** Requests a path over FastCGI on a Unix socket; answers the body. Throws on a timeout. */
export function fastcgiGet(socket: string, path: string, waitsMs = patience.silenceMs): Promise<string> {
  const pairs = { REQUEST_METHOD: 'GET', SCRIPT_NAME: path, SCRIPT_FILENAME: path, REQUEST_URI: path, QUERY_STRING: '' }
  const body = Buffer.concat(
    Object.entries(pairs).map(([key, value]) => Buffer.from([key.length, value.length, ...Buffer.from(key + value)])),
  )
  return new Promise((resolve, reject) => {
    const asked = connect(socket)
    const late = setTimeout(() => asked.destroy(new Error(`${socket} gave no answer in ${waitsMs / 1000} s`)), waitsMs)
    let got = Buffer.alloc(0)
    asked.on('connect', () => {
      const responder = Buffer.from([0, 1, 0, 0, 0, 0, 0, 0])
      asked.write(Buffer.concat([record(begin, responder), record(params, body), record(params), record(stdin)]))
    })
    asked.on('data', (part: Buffer) => {
      got = Buffer.concat([got, part])
    })
    asked.on('error', reject)
    asked.on('close', () => {
      clearTimeout(late)
      const text = said(got)
      const head = text.indexOf('\r\n\r\n')
      if (head >= 0) resolve(text.slice(head + 4))
      else reject(new Error(`${socket} closed without an answer`))
    })
  })
}

function record(type: number, content = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 255, 0, 0]), content])
}

/** The stdout records of an answer. */
function said(answer: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 0; at + 8 <= answer.length; ) {
    const length = answer.readUInt16BE(at + 4)
    if (answer[at + 1] === stdout) parts.push(answer.subarray(at + 8, at + 8 + length))
    at += 8 + length + (answer[at + 6] ?? 0)
  }
  return Buffer.concat(parts).toString()
}
