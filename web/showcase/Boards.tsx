import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Board } from '../kit/board/Board.tsx'
import { moved } from '../kit/board/moves.ts'
import { toast } from '../kit/dialogs/toast.ts'
import { Section } from '../kit/frame/Section.tsx'
import { Avatar } from '../kit/look/Avatar.tsx'
import { Mono } from '../kit/look/Mono.tsx'
import css from './Pieces.module.css'

const titles = [
  'The page of a zone jumps',
  'Undo takes back the wrong shift',
  'Search finds no umlauts',
  'Slow first backup',
]
const people = ['Ada Berg', 'Erik Lindqvist', 'Ingrid Solberg']
const cards = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: from + n,
    title: `${titles[(from + n) % 4]}${n % 5 === 0 ? ', and a title that is longer than two lines of a card can ever show to anybody' : ''}`,
    who: people[n % 3] ?? '',
  }))
const start = [
  { id: 'backlog', title: 'Backlog', cards: cards(1000, 1000) },
  { id: 'open', title: 'Open', limit: 4, cards: cards(100, 5) },
  { id: 'progress', title: 'In progress', limit: 3, cards: cards(200, 2) },
  { id: 'done', title: 'Completed', cards: [] },
]

/** Four columns, one of a thousand cards, one over its limit, one empty. */
export function Boards() {
  const [columns, setColumns] = useState<Parameters<typeof moved<(typeof start)[0]['cards'][0]>>[0]>(start)
  return (
    <Section title="Board" hint="1,000 cards in the first column" pad={false}>
      <div className={css.tall}>
        <Board
          label="Bugs"
          columns={columns}
          nameOf={({ id, title }) => `BUG-${id} ${title}`}
          draw={({ id, title, who }) => (
            <>
              <Text lineClamp={2} pr={26} lh={1.35}>
                {title}
              </Text>
              <Group justify="space-between" pos="absolute" bottom={6} left={10} right={10}>
                <Mono fz="xs" c="dimmed">
                  BUG-{id}
                </Mono>
                <Avatar name={who} size={20} />
              </Group>
            </>
          )}
          onOpen={({ id }) => toast.info(`BUG-${id}`)}
          onMove={(card, { column, index }) =>
            setColumns(moved(columns, card.id, { column: columns.findIndex(({ id }) => id === column), index }))
          }
          whyNot={(_, column) =>
            column === 'done' ? 'Needs “Complete bugs”. Erik Lindqvist can grant it.' : undefined
          }
        />
      </div>
    </Section>
  )
}
