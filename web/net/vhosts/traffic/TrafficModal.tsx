import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { Modal } from '@mantine/core'
import { Traffic } from './Traffic.tsx'

export default function TrafficModal({ vhost, close }: { vhost: Vhost; close: () => void }) {
  return (
    <Modal opened onClose={close} title={`Traffic of ${vhost.domain}`} size={760}>
      <Traffic vhostId={vhost.id} />
    </Modal>
  )
}
