import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { responseHeaders } from './headers.ts'
import { type Previewed, previewStream } from './rewriting.ts'

/** Types whose URLs are rewritten. Event streams are left out, because rewriting would delay events. */
const rewritten =
  /^(?:text\/(?!event-stream)[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|x-javascript)|image\/svg\+xml)(?:;|$)/i

const isPage = /^(?:text\/html|application\/xhtml\+xml)(?:;|\s|$)/i

/** Forwards the answer. URLs in texts are rewritten, other content is unchanged. */
export function pass(
  incoming: IncomingMessage,
  heard: IncomingMessage,
  answer: ServerResponse,
  previewed: Previewed,
): void {
  const { statusCode: status = 502, headers } = heard
  const unpack = unpacking(headers['content-encoding'])
  const isText =
    unpack !== undefined &&
    rewritten.test(headers['content-type'] ?? '') &&
    !/charset=utf-(16|32)/i.test(headers['content-type'] ?? '') &&
    !/^\s*attachment\b/i.test(headers['content-disposition'] ?? '') &&
    status !== 206
  const shown = responseHeaders(headers, previewed)
  if (!isText) {
    answer.writeHead(status, shown)
    pipeline(heard, answer, () => {})
    return
  }
  for (const name of ['content-length', 'content-encoding', 'accept-ranges', 'content-md5', 'digest'])
    delete shown[name]
  answer.writeHead(status, shown)
  if (incoming.method === 'HEAD' || status === 204 || status === 304) {
    heard.resume()
    answer.end()
    return
  }
  pipeline(
    [heard, ...unpack, previewStream(previewed, { isPage: isPage.test(headers['content-type'] ?? '') }), answer],
    () => {},
  )
}

/** The streams that decompress an encoding; undefined for an encoding that was not requested. */
function unpacking(encoding = 'identity'): Transform[] | undefined {
  switch (encoding.trim().toLowerCase()) {
    case 'identity':
      return []
    case 'gzip':
    case 'x-gzip':
      return [createGunzip()]
    case 'br':
      return [createBrotliDecompress()]
    default:
      return undefined
  }
}
