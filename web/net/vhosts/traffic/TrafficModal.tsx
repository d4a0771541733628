import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { Traffic } from './Traffic.tsx'

export default function TrafficModal({ vhost, close }: { vhost: Vhost; close: () => void }) {
  return (
    <Dialog opened onClose={close} title={`Traffic of ${vhost.domain}`} size={760}>
      <Traffic vhostId={vhost.id} />
    </Dialog>
  )
}
