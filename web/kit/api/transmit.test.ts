import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Sending, Stalled, transmit } from './transmit.ts'

/** A fake XMLHttpRequest that the tests control. */
class FakeRequest {
  static last: FakeRequest
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  onprogress?: () => void
  onloadend: (() => void) | null = null
  readonly open = vi.fn()
  readonly setRequestHeader = vi.fn()
  readonly send = vi.fn()
  readonly abort = vi.fn(() => this.onloadend?.())
  status = 0
  statusText = ''
  response: Blob | null = null
  type: string | null = null

  constructor() {
    FakeRequest.last = this
  }
  getResponseHeader(name: string) {
    return name === 'content-type' ? this.type : null
  }
  answer(status: number, body = '', type: string | null = 'application/json') {
    Object.assign(this, { status, type, response: new Blob([body]) })
    this.onloadend?.()
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
})
afterEach(() => {
  expect(vi.getTimerCount(), 'a clock still runs').toBe(0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function start(more: Partial<Sending> = {}) {
  const headers = new Headers({ authorization: 'Bearer x' })
  const answer = transmit({ method: 'PATCH', url: '/api/uploads/1', headers, body: 'bytes', ...more })
  answer.catch(() => undefined) // each test checks the answer itself
  return { answer, request: FakeRequest.last }
}

test('sends the body, reports progress, and answers as fetch does', async () => {
  const onProgress = vi.fn()
  const { answer, request } = start({ onProgress })
  expect(request.open).toHaveBeenCalledWith('PATCH', '/api/uploads/1')
  expect(request.setRequestHeader.mock.calls).toEqual([['authorization', 'Bearer x']])
  expect(request.send).toHaveBeenCalledWith('bytes')
  request.upload.onprogress?.({ loaded: 3, total: 5 })
  expect(onProgress).toHaveBeenCalledWith(3, 5)
  request.answer(409, '{"code":"conflict"}')
  const got = await answer
  expect([got.status, got.headers.get('content-type'), await got.json()]).toEqual([
    409,
    'application/json',
    { code: 'conflict' },
  ])
})

test('an empty answer has no body', async () => {
  const { answer, request } = start()
  request.answer(204, '', null)
  expect((await answer).body).toBeNull()
})

test('a broken connection is an error', async () => {
  const { answer, request } = start()
  request.onloadend?.()
  await expect(answer).rejects.toThrow(TypeError)
})

test('a minute without progress aborts', async () => {
  const { answer, request } = start()
  vi.advanceTimersByTime(59_999)
  expect(request.abort).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(request.abort).toHaveBeenCalledOnce()
  await expect(answer).rejects.toThrow(Stalled)
})

test('with progress in either direction it may take hours', async () => {
  const { answer, request } = start()
  for (let minute = 0; minute < 120; minute++) {
    vi.advanceTimersByTime(59_000)
    if (minute % 2) request.onprogress?.()
    else request.upload.onprogress?.({ loaded: minute, total: 120 })
  }
  expect(request.abort).not.toHaveBeenCalled()
  request.answer(200)
  expect((await answer).status).toBe(200)
})

test('an abort passes its own reason, and nothing follows', async () => {
  const stop = new AbortController()
  const { answer, request } = start({ signal: stop.signal })
  stop.abort(new Error('given up'))
  expect(request.abort).toHaveBeenCalledOnce()
  await expect(answer).rejects.toThrow('given up')
})

test('a request aborted before its start is never sent', async () => {
  const { answer } = start({ signal: AbortSignal.abort(new Error('too late')) })
  await expect(answer).rejects.toThrow('too late')
  expect(FakeRequest.last.send).not.toHaveBeenCalled()
})
