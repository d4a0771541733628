import type { Elevation } from '@innkeeper/contract/access/elevations'
import { Button } from '@mantine/core'
import { IconShieldUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { lasting } from '../../kit/look/format.ts'
import { useAct } from '../../kit/look/useAct.ts'
import { useNow } from '../../kit/look/useNow.ts'
import { endNow } from './acts.ts'
import { elevationsApi } from './api.ts'
import css from './ElevationBar.module.css'
import { whatOf } from './words.ts'

/** Below every screen while the person has permissions for some time. Below, so that no row moves when it comes. */
export function ElevationBar() {
  const { data } = useQuery(elevationsApi.held.query())
  const held = data?.items ?? []
  const now = useNow(held.length > 0 && 1000)
  const left = ({ endsAt }: Elevation) => (endsAt ? new Date(endsAt).getTime() - now.getTime() : 0)
  return held
    .filter((one) => left(one) > 0)
    .map((one) => (
      <section key={one.id} className={css.bar} aria-label="Elevation">
        <IconShieldUp size={16} />
        <span className={css.text} title={one.scopes.join('\n')}>
          <LinkTo to="/elevations">{whatOf(one)}</LinkTo> for some time: {one.reason}
        </span>
        <span className={css.left}>{lasting(left(one))}</span>
        <End elevation={one} />
      </section>
    ))
}

function End({ elevation }: { elevation: Elevation }) {
  const { busy, run } = useAct()
  return (
    <Button size="xs" variant="default" loading={busy} onClick={() => void run(() => endNow(elevation))}>
      End now
    </Button>
  )
}
