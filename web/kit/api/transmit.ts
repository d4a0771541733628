/** Milliseconds without progress after which a connection counts as lost. */
const STALL = 60_000

export interface Sending {
  method: string
  url: string
  headers: Headers
  body: XMLHttpRequestBodyInit
  signal?: AbortSignal
  /** Upload progress in bytes. */
  onProgress?: (sent: number, total: number) => void
}

export class Stalled extends Error {}

/**
 * Sends a body of any length and returns a Response, as fetch does. Uses XMLHttpRequest because fetch reports no
 * upload progress. An upload may take hours; it fails after one minute without progress.
 */
export function transmit({ method, url, headers, body, signal, onProgress }: Sending): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout>
    const moved = () => {
      clearTimeout(timer)
      timer = setTimeout(() => end(new Stalled('stalled')), STALL)
    }
    const end = (error?: unknown) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
      request.onloadend = null
      if (error === undefined) return resolve(answerOf(request))
      request.abort()
      reject(error)
    }
    const cancel = () => end(signal?.reason)
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', cancel)
    request.open(method, url)
    request.responseType = 'blob'
    for (const [name, value] of headers) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => {
      moved()
      onProgress?.(loaded, total)
    }
    request.onprogress = moved
    request.onloadend = () => end(request.status === 0 ? new TypeError('no answer') : undefined)
    moved()
    request.send(body)
  })
}

function answerOf(request: XMLHttpRequest): Response {
  const { status, statusText } = request
  const type = request.getResponseHeader('content-type')
  const body = [204, 205, 304].includes(status) ? null : (request.response as Blob) // `responseType` is blob
  return new Response(body, { status, statusText, headers: type ? { 'content-type': type } : {} })
}
