import type { Vhost } from '@innkeeper/contract/vhosts'
import { lazyPart } from '../kit/lazyScreen.tsx'

export type CdnDialog = { what: 'traffic' | 'clear' | 'cdn'; vhost: Vhost } | { what: 'resync'; ids?: number[] }
interface Shown {
  vhost: Vhost
  close: () => void
}

const nothing = () => null
const Traffic = lazyPart<Shown>(() => import('./TrafficModal.tsx'), nothing)
const Clear = lazyPart<Shown>(() => import('./ClearModal.tsx'), nothing)
const Cdn = lazyPart<Shown>(() => import('./CdnModal.tsx'), nothing)
const Resync = lazyPart<{ ids?: number[]; close: () => void }>(() => import('./ResyncModal.tsx'), nothing)

/** The dialog that was asked for, if any. */
export function CdnDialogs({ asked, close }: { asked: CdnDialog | undefined; close: () => void }) {
  if (!asked) return null
  if (asked.what === 'resync') return <Resync ids={asked.ids} close={close} />
  const Dialog = { traffic: Traffic, clear: Clear, cdn: Cdn }[asked.what]
  return <Dialog vhost={asked.vhost} close={close} />
}
