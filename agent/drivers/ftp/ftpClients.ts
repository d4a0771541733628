import { read } from '../../kit/host.ts'
import { clientsFile, isOfFront } from './front/places.ts'

/** Translates addresses of pure-ftpd's logs: those of the front become the addresses of clients. */
export async function readClients(): Promise<(address: string) => string> {
  const known = new Map<string, string>()
  for (const line of ((await read(clientsFile)) ?? '').split('\n')) {
    const [loopback = '', real = ''] = line.split(' ')
    known.set(loopback, real)
  }
  return (address) => (isOfFront(address) ? (known.get(address) ?? 'unknown') : address)
}
