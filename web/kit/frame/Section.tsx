import { Box, Group, Text, Title } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import css from './Section.module.css'

interface Props {
  title: string
  hint?: ReactNode
  aside?: ReactNode
  /** false: rows that reach the edges. */
  pad?: boolean
  children: ReactNode
}

/** A titled block on the sheet. Hairlines separate; no block lies inside a block. */
export const Section = ({ title, hint, aside, pad = true, children }: Props) => (
  <section className={css.section} aria-label={title}>
    <Group justify="space-between" px={14} py={2} mih={38} wrap="nowrap" className={css.bar}>
      <Group gap={8} wrap="nowrap" miw={0}>
        <Title order={2} fz="sm" style={{ whiteSpace: 'nowrap' }}>
          {title}
        </Title>
        {hint && (
          <Text c="dimmed" fz="xs" truncate component="div">
            {hint}
          </Text>
        )}
      </Group>
      {aside && <div className={css.aside}>{aside}</div>}
    </Group>
    <div className={pad ? css.pad : undefined}>{children}</div>
  </section>
)

/** Label and value, one line each. */
export const Facts = ({ of, width = 132 }: { of: [label: string, value: ReactNode][]; width?: number }) => (
  <Box component="dl" className={css.facts} __vars={{ '--facts-label': `${width}px` }}>
    {of.map(([label, value]) => (
      <Fragment key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </Box>
)

interface SplitProps {
  children: ReactNode
  side: ReactNode
  /** Fields left, what they do right. */
  form?: boolean
  sideLast?: boolean
}

/** Two columns that become one below 1150 px; `side` is sticky, and first in one column unless `sideLast` or a form. */
export const Split = ({ children, side, form, sideLast }: SplitProps) => (
  <div className={css.split} data-form={form || undefined} data-last={form || sideLast || undefined}>
    <div className={css.main}>{children}</div>
    <div className={css.side}>{side}</div>
  </div>
)

/** A row of figures or states in one frame, without a title bar. */
export const Trio = ({ children }: { children: ReactNode }) => <div className={css.trio}>{children}</div>
