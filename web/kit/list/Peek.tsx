import { ActionIcon, Button, Group, Kbd, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Facts } from '../frame/Section.tsx'
import type { Column } from './columns.ts'
import css from './Peek.module.css'
import { listTexts } from './texts.ts'

interface Props<R> {
  row: R
  name: string
  /** All columns, the hidden ones included. */
  columns: readonly Column<R>[]
  /** Path of the row's own page. */
  path: string | undefined
  /** More about the row, below the facts. */
  more: ReactNode
  close: () => void
}

/** A row at a glance beside its list: everything that the list knows of the row. The focus stays in the list. */
export function Peek<R>({ row, name, columns: [first, ...others], path, more, close }: Props<R>) {
  const words = listTexts()
  const place = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row begins at its top
  useEffect(() => {
    // newer browsers answer a promise, which is no cleanup of an effect
    void place.current?.scrollTo(0, 0)
  }, [row])
  return (
    <aside ref={place} className={css.peek} aria-label={words.peek}>
      <Group justify="space-between" wrap="nowrap" gap={8} align="flex-start">
        <Title order={2} fz="md" className={css.title} aria-live="polite" aria-label={name}>
          {first?.cell(row)}
        </Title>
        <ActionIcon aria-label={words.closePeek} onClick={close}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
      <Facts of={others.map((column) => [column.title, column.cell(row)])} width={112} />
      {more}
      <Group justify="space-between" gap={8} className={css.foot}>
        <Text c="dimmed" fz="xs">
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> {words.nextRow} · <Kbd>Esc</Kbd> {words.close}
        </Text>
        {path && (
          <Button component={Link} to={path} size="xs" variant="default" rightSection={<Kbd aria-hidden>↵</Kbd>}>
            {words.open}
          </Button>
        )}
      </Group>
    </aside>
  )
}
