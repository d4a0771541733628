import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { Menu } from '@mantine/core'
import {
  IconAdjustments,
  IconArrowsDiff,
  IconChartBar,
  IconCloud,
  IconEraser,
  IconListDetails,
  IconPlayerPause,
  IconTrash,
} from '@tabler/icons-react'
import { useReason } from '../../../kit/access/reasons.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { vhostsApi } from '../api.ts'
import type { CdnDialog } from './CdnDialogs.tsx'
import { cdnOff, notChangeable, remove, turnXdnOff, xdnOn } from './cdnActs.ts'

interface Props {
  vhost: Vhost
  ask: (dialog: CdnDialog) => void
}

/** The menu items of a website behind edges, for its row and its section. */
export function CdnActs({ vhost, ask }: Props) {
  const lacking = useReason()
  const not = notChangeable(vhost)
  return (
    <>
      <MenuAction
        label="Traffic…"
        icon={<IconChartBar size={15} />}
        reason={lacking(vhostsApi.traffic)}
        onClick={() => ask({ what: 'traffic', vhost })}
      />
      <MenuAction
        label="Clear cache…"
        icon={<IconEraser size={15} />}
        reason={lacking(vhostsApi.clear) ?? not}
        onClick={() => ask({ what: 'clear', vhost })}
      />
      <MenuAction
        label={vhost.cdn ? 'Change CDN…' : 'Turn CDN on…'}
        icon={<IconAdjustments size={15} />}
        reason={lacking(vhostsApi.enableCdn) ?? not}
        onClick={() => ask({ what: 'cdn', vhost })}
      />
      {vhost.cdn && (
        <MenuAction
          label="Turn CDN off…"
          icon={<IconPlayerPause size={15} />}
          reason={lacking(vhostsApi.disableCdn) ?? not}
          onClick={() => ask({ what: 'turn', turn: cdnOff(vhost) })}
        />
      )}
      <MenuAction
        label="Rules…"
        icon={<IconListDetails size={15} />}
        reason={lacking(vhostsApi.rules) ?? not}
        onClick={() => ask({ what: 'rules', vhost })}
      />
      <MenuAction
        label={vhost.xdn ? 'Turn XDN off…' : 'Turn XDN on…'}
        icon={<IconCloud size={15} />}
        reason={lacking(vhost.xdn ? vhostsApi.disableXdn : vhostsApi.enableXdn) ?? not}
        onClick={() => (vhost.xdn ? void turnXdnOff(vhost) : ask({ what: 'turn', turn: xdnOn(vhost) }))}
      />
      <MenuAction
        label="Compare with its edges…"
        icon={<IconArrowsDiff size={15} />}
        reason={lacking(vhostsApi.resync)}
        onClick={() => ask({ what: 'resync', ids: [vhost.id] })}
      />
      <Menu.Divider />
      <MenuAction
        label="Take from its edges…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(vhostsApi.remove) ?? not}
        onClick={() => void remove(vhost)}
      />
    </>
  )
}
