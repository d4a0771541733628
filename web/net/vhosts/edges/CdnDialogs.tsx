import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import type { Turn } from './cdnActs.ts'

export type CdnDialog =
  | { what: 'traffic' | 'clear' | 'cdn' | 'rules'; vhost: Vhost }
  | { what: 'turn'; turn: Turn }
  | { what: 'resync'; ids?: number[] }
interface Shown {
  vhost: Vhost
  close: () => void
}

const Traffic = lazyDialog<Shown>(() => import('../traffic/TrafficModal.tsx'))
const Clear = lazyDialog<Shown>(() => import('./ClearModal.tsx'))
const Cdn = lazyDialog<Shown>(() => import('./CdnModal.tsx'))
const Rules = lazyDialog<Shown>(() => import('./rules/RulesModal.tsx'))
const Resync = lazyDialog<{ ids?: number[]; close: () => void }>(() => import('./ResyncModal.tsx'))
const TurnDialog = lazyDialog<{ turn: Turn; close: () => void }>(() => import('./TurnModal.tsx'))

export function CdnDialogs({ asked, close }: { asked: CdnDialog | undefined; close: () => void }) {
  if (!asked) return null
  if (asked.what === 'resync') return <Resync ids={asked.ids} close={close} />
  if (asked.what === 'turn') return <TurnDialog turn={asked.turn} close={close} />
  const Dialog = { traffic: Traffic, clear: Clear, cdn: Cdn, rules: Rules }[asked.what]
  return <Dialog vhost={asked.vhost} close={close} />
}
