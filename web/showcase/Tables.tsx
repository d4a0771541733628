import { Button, SimpleGrid } from '@mantine/core'
import { toast } from '../kit/dialogs/toast.ts'
import { Section } from '../kit/frame/Section.tsx'
import { Mono } from '../kit/look/Mono.tsx'
import { SectionTable, type TableColumn } from '../kit/look/SectionTable.tsx'
import { StatusBadge } from '../kit/look/StatusBadge.tsx'
import { type Guest, guests } from './rows.ts'

const columns: readonly TableColumn<Guest>[] = [
  { title: 'Name', cell: ({ name }) => <Mono>{name}</Mono> },
  { title: 'Status', width: 140, cell: ({ status }) => <StatusBadge state={status} /> },
  { title: 'Rooms', align: 'right', cell: ({ rooms }) => rooms },
  {
    title: '',
    cell: ({ name }) => (
      <Button size="xs" variant="default" aria-label={`Open ${name}`} onClick={() => toast.info(name)}>
        Open
      </Button>
    ),
  },
]
const some = guests(4)

/** Tables in sections: as cards on a phone, scrolling, and empty. */
export const Tables = () => (
  <SimpleGrid cols={{ base: 1, lg: 2 }} spacing={16}>
    <Section title="SectionTable" pad={false}>
      <SectionTable label="Guests" columns={columns} rows={some} keyOf={({ id }) => id} />
    </Section>
    <Section title="SectionTable that scrolls on a phone" pad={false}>
      <SectionTable label="Guests to push" narrow="scroll" columns={columns} rows={some} keyOf={({ id }) => id} />
    </Section>
    <Section title="SectionTable without rows" pad={false}>
      <SectionTable label="No guests" columns={columns} rows={[]} keyOf={({ id }) => id} empty="Nobody has come yet." />
    </Section>
  </SimpleGrid>
)
