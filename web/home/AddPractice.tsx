import { serverTypes } from '@innkeeper/contract/machines/servers/shapes'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { attempt } from '../kit/api/attempt.ts'
import { MenuAction } from '../kit/look/MenuAction.tsx'
import { useAct } from '../kit/look/useAct.ts'
import { practiceApi } from '../machines/servers/api.ts'
import { typeWord } from '../machines/servers/words.ts'

/** Adds a practice server of a type, so that backups, mail or an edge can be tried without a server of one's own. */
export function AddPractice({ reason }: { reason: string | undefined }) {
  const { busy, run } = useAct()
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" loading={busy} rightSection={<IconChevronDown size={14} />}>
          Add practice server
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {serverTypes
          .filter((type) => type !== 'adopted')
          .map((type) => (
            <MenuAction
              key={type}
              label={typeWord(type)}
              {...(reason && { reason })}
              onClick={() => void run(() => attempt(() => practiceApi.add({ type }), ['practice', 'servers']))}
            />
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}
