import type { MigrationRow } from '@innkeeper/contract/hosting/moves/shapes'
import { Menu } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { moveVerbs, perform } from './acts.ts'
import { movesApi } from './api.ts'

/** The items of a row's menu. */
export function MoveActs({ move }: { move: MigrationRow }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const open = moveVerbs.filter(({ when }) => when(move))
  return (
    <>
      <MenuAction
        label="Open website"
        icon={<IconWorld size={15} />}
        reason={lacking('website:website:read')}
        onClick={() => void navigate({ to: '/websites/$id', params: { id: String(move.sourceWebsiteId) } })}
      />
      {open.length > 0 && <Menu.Divider />}
      {open.map((verb) => (
        <MenuAction
          key={verb.want}
          label={verb.label}
          danger={verb.danger}
          reason={lacking(movesApi.update)}
          onClick={() => void perform(move, verb)}
        />
      ))}
    </>
  )
}

/** The same actions beside the title, as buttons where space allows. */
export function MoveButtons({ move }: { move: MigrationRow }) {
  const lacking = useReason()
  return (
    <>
      {moveVerbs
        .filter(({ when }) => when(move))
        .map((verb) => (
          <ActButton
            key={verb.want}
            visibleFrom="sm"
            variant="default"
            color={verb.danger ? 'error' : undefined}
            reason={lacking(movesApi.update)}
            onClick={() => void perform(move, verb)}
          >
            {verb.label}
          </ActButton>
        ))}
      <PageMenu>
        <MoveActs move={move} />
      </PageMenu>
    </>
  )
}
