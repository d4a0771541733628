import type { Socket } from 'node:net'
import type { Reach } from '../../../../kit/outgoing/reach.ts'
import { connectTo, failed, secured } from '../../../../kit/outgoing/send.ts'
import { limits, NotAnswered } from './ask.ts'
import { childOf, type Element, encode, readerOf } from './xml.ts'

/** A signed-in stream to an XMPP server, for sending and receiving stanzas. */
export interface Stream {
  send(xml: string): void
  /** Waits for the next stanza. */
  next(): Promise<Element>
  end(): void
}

interface Wanted {
  url: URL
  jid: string
  password: string
}
const isHere = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)

/**
 * Connects with TLS (`xmpps:` directly, `xmpp:` by STARTTLS) and signs in. Passwords leave this machine only encrypted.
 */
export async function openStream(reach: Reach, { url, jid, password }: Wanted): Promise<Stream> {
  const [local = '', domain = ''] = jid.split('@')
  const host = url.hostname
  const port = Number(url.port) || (url.protocol === 'xmpps:' ? 5223 : 5222)
  const unreached = (why: unknown) => new NotAnswered(failed(reach, url.host, why).message)
  const plain = connected(reach, { host, port }, unreached)
  let line = lineOf(plain, unreached)
  let isSecret = isHere(host)
  const secure = () => {
    line.stop()
    const tls = secured(plain, { servername: domain, rejectUnauthorized: !isHere(host) })
    line = lineOf(tls, unreached)
    isSecret = true
  }
  const greet = async () => {
    line.send(
      `<?xml version='1.0'?><stream:stream to='${encode(domain)}' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>`,
    )
    const features = await line.next()
    if (features.name !== 'stream:features') throw unreached('the server speaks no XMPP')
    return features
  }
  try {
    if (url.protocol === 'xmpps:') secure()
    let features = await greet()
    if (childOf(features, 'starttls')) {
      line.send("<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>")
      if ((await line.next()).name !== 'proceed') throw new NotAnswered('the server refuses TLS')
      secure()
      features = await greet()
    }
    if (!isSecret) throw new NotAnswered('the server offers no TLS')
    const ways = childOf(features, 'mechanisms')?.children.map(({ text }) => text) ?? []
    if (!ways.includes('PLAIN')) throw new NotAnswered('the server offers no sign-in by password')
    const proof = Buffer.from(`\0${local}\0${password}`).toString('base64')
    line.send(`<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${proof}</auth>`)
    if ((await line.next()).name !== 'success') throw new NotAnswered('the server refuses name or password')
    await greet()
    line.send("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>")
    while (true) {
      const answer = await line.next()
      if (answer.attributes.id !== 'bind') continue
      if (answer.attributes.type !== 'result') throw new NotAnswered('the server binds no resource')
      return { send: (xml) => line.send(xml), next: () => line.next(), end: () => line.end() }
    }
  } catch (error) {
    plain.destroy()
    throw error
  }
}

function connected(reach: Reach, to: { host: string; port: number }, unreached: (why: unknown) => NotAnswered): Socket {
  try {
    return connectTo(reach, to)
  } catch (error) {
    throw unreached(error)
  }
}

/** Queues the stanzas of a socket in order of arrival. */
function lineOf(socket: Socket, unreached: (why: unknown) => NotAnswered) {
  const found: Element[] = []
  let failure: NotAnswered | undefined
  let wake = () => {}
  const read = readerOf((stanza) => void found.push(stanza))
  const fail = (error: NotAnswered) => {
    failure ??= error
    wake()
  }
  const hear = (bytes: string | Buffer) => {
    try {
      read(String(bytes))
    } catch (error) {
      fail(unreached(error))
    }
    wake()
  }
  const away = (error: Error) => fail(unreached(error))
  const over = () => {
    if (!failure) fail(unreached('the server ended the stream'))
  }
  socket.setEncoding('utf8')
  socket.on('data', hear).on('error', away).on('close', over)
  return {
    send: (xml: string) => void socket.write(xml),
    end() {
      socket.off('close', over)
      socket.end('</stream:stream>')
    },
    /** Stops listening, because TLS takes over the socket. */
    stop() {
      socket.off('data', hear).off('error', away).off('close', over)
    },
    async next(): Promise<Element> {
      const until = Date.now() + limits.patience
      for (;;) {
        const stanza = found.shift()
        if (stanza) return stanza
        if (failure) throw failure
        const left = until - Date.now()
        if (left <= 0) throw unreached('no answer in time')
        await new Promise<void>((done) => {
          const timer = setTimeout(done, left)
          wake = () => {
            clearTimeout(timer)
            done()
          }
        })
      }
    },
  }
}
