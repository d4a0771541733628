import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import { Button, Group, Menu } from '@mantine/core'
import { IconClockHour4, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { lazyDialog, lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Facts } from '../../kit/frame/Section.tsx'
import { ago } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { Account } from './Account.tsx'
import { notChangeable, remove } from './acts.ts'
import { databasesApi } from './api.ts'
import { Connections } from './Connections.tsx'
import { Console } from './Console.tsx'
import { Contents } from './Contents.tsx'
import css from './Databases.module.css'
import { SlowQueries } from './SlowQueries.tsx'
import { engineWords } from './words.ts'

type Dialog = { database: Database; close: () => void }
const ChangeDatabase = lazyDialog<Dialog>(() => import('./ChangeDatabase.tsx'))
const OpenLogin = lazyDialog<Dialog>(() => import('./OpenLogin.tsx'))
const Dumps = lazyPart<{ database: Database }>(
  () => import('./dumps/Dumps.tsx'),
  () => null,
)
/** Parts of the section, each of which loads its data while it is open. */
const parts = ['Tables', 'Connections', 'Slow queries', 'Query', 'Dumps'] as const
type Part = (typeof parts)[number]

/** One database with the settings that an application needs. */
export function OneDatabase({ database }: { database: Database }) {
  const { name, engine, status, serverName, collation, connection, users, sizeMb, sizeSeenAt } = database
  const lacking = useReason()
  const [open, setOpen] = useState<Part>()
  const busy = notChangeable(database)
  const [changing, setChanging] = useState(false)
  const [opening, setOpening] = useState(false)
  return (
    <section className={css.database} aria-label={name}>
      <div className={css.head}>
        <Group gap={10}>
          <Mono fw={600}>{name}</Mono>
          <StatusBadge state={status} />
        </Group>
        <PageMenu label={`Actions of ${name}`}>
          <MenuAction
            label="Timed login…"
            icon={<IconClockHour4 size={15} />}
            reason={lacking(databasesApi.openLogin) ?? busy}
            onClick={() => setOpening(true)}
          />
          <MenuAction
            label="Change…"
            icon={<IconPencil size={15} />}
            reason={lacking(databasesApi.update) ?? busy}
            onClick={() => setChanging(true)}
          />
          <Menu.Divider />
          <MenuAction
            label="Delete…"
            danger
            icon={<IconTrash size={15} />}
            reason={lacking(databasesApi.remove) ?? busy}
            onClick={() => void remove(database)}
          />
        </PageMenu>
      </div>
      <Facts
        of={[
          ['Engine', engineWords[engine]],
          ['Host', <Mono key="host">{`${connection.host}:${connection.port} on ${serverName}`}</Mono>],
          ['Socket', <Mono key="socket">{connection.socket}</Mono>],
          ['Collation', <Mono key="collation">{collation}</Mono>],
          ['Size', sizeMb === null ? 'not asked yet' : `${sizeMb} MB${sizeSeenAt ? `, ${ago(sizeSeenAt)}` : ''}`],
          ...users.map((user): [string, React.ReactNode] => ['Account', <Account key={user.id} user={user} />]),
        ]}
      />
      <Group gap={8} mt={10}>
        {parts.map((part) => (
          <Button
            key={part}
            size="xs"
            variant={open === part ? 'light' : 'default'}
            aria-expanded={open === part}
            onClick={() => setOpen(open === part ? undefined : part)}
          >
            {part}
          </Button>
        ))}
      </Group>
      {open === 'Tables' && <Contents database={database} />}
      {open === 'Connections' && <Connections database={database} />}
      {open === 'Slow queries' && <SlowQueries database={database} />}
      {open === 'Query' && <Console database={database} />}
      {open === 'Dumps' && <Dumps database={database} />}
      {opening && <OpenLogin database={database} close={() => setOpening(false)} />}
      {changing && <ChangeDatabase database={database} close={() => setChanging(false)} />}
    </section>
  )
}
