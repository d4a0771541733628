import type { OriginVhost } from '@innkeeper/contract/net/originVhosts/shapes'
import { Menu } from '@mantine/core'
import { IconArrowsDiff, IconAsterisk, IconBrandPhp, IconRoute, IconTrash } from '@tabler/icons-react'
import { useReason } from '../../../kit/access/reasons.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { originVhostsApi } from '../api.ts'
import { notChangeable, nothingOwn, reset, setWildcard } from './originActs.ts'

interface Props {
  vhost: OriginVhost
  change: () => void
  rules: () => void
  compare: () => void
}

/** The menu items of an origin vhost's row. */
export function OriginActs({ vhost, change, rules, compare }: Props) {
  const lacking = useReason()
  const not = notChangeable(vhost)
  return (
    <>
      <MenuAction
        label="Change PHP…"
        icon={<IconBrandPhp size={15} />}
        reason={lacking(originVhostsApi.php) ?? not}
        onClick={change}
      />
      <MenuAction
        label="Application and rules…"
        icon={<IconRoute size={15} />}
        reason={lacking(originVhostsApi.setRules) ?? not}
        onClick={rules}
      />
      <MenuAction
        label={vhost.wildcard ? 'Turn wildcard off…' : 'Turn wildcard on…'}
        icon={<IconAsterisk size={15} />}
        reason={lacking(originVhostsApi.wildcard) ?? not}
        onClick={() => void setWildcard(vhost)}
      />
      <MenuAction
        label="Compare with its server…"
        icon={<IconArrowsDiff size={15} />}
        reason={lacking(originVhostsApi.diff) ?? not}
        onClick={compare}
      />
      <Menu.Divider />
      <MenuAction
        label="Remove its settings…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(originVhostsApi.remove) ?? not ?? nothingOwn(vhost)}
        onClick={() => void reset(vhost)}
      />
    </>
  )
}
