import { Box, Group, Text, Title } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { Term } from '../look/Term.tsx'
import css from './Section.module.css'

interface Props {
  title: string
  hint?: ReactNode
  aside?: ReactNode
  /** Padding of the content; false for rows that reach the edges. */
  pad?: boolean
  children: ReactNode
}

/** A titled section. Hairlines separate sections; sections are never nested. */
export const Section = ({ title, hint, aside, pad = true, children }: Props) => (
  <section className={css.section} aria-label={title}>
    <Group justify="space-between" px={14} py={2} mih={38} wrap="nowrap" className={css.bar}>
      <Group gap={8} wrap="nowrap" miw={0} className={css.heading}>
        <Title order={2} fz="sm" style={{ whiteSpace: 'nowrap' }}>
          <Term>{title}</Term>
        </Title>
        {hint && (
          <Text c="dimmed" fz="xs" truncate component="div" className={css.hint}>
            {hint}
          </Text>
        )}
      </Group>
      {aside && <div className={css.aside}>{aside}</div>}
    </Group>
    <div className={pad ? css.pad : undefined}>{children}</div>
  </section>
)

/** Pairs of label and value, one line each. */
export const Facts = ({ of, width = 132 }: { of: [label: string, value: ReactNode][]; width?: number }) => (
  <Box component="dl" className={css.facts} __vars={{ '--facts-label': `${width}px` }}>
    {of.map(([label, value]) => (
      <Fragment key={label}>
        <dt>
          <Term>{label}</Term>
        </dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </Box>
)

interface SplitProps {
  children: ReactNode
  side: ReactNode
  /** Layout of a form: fields on the left, their consequences on the right. */
  form?: boolean
  sideLast?: boolean
  /** A narrower side, for a main column with a wide table. */
  slim?: boolean
}

/**
 * Two columns, or one below 1150 px. `side` is sticky; in one column it comes first unless `sideLast` or `form` is
 * set.
 */
export const Split = ({ children, side, form, sideLast, slim }: SplitProps) => (
  <div
    className={css.split}
    data-form={form || undefined}
    data-last={form || sideLast || undefined}
    data-slim={slim || undefined}
  >
    <div className={css.main}>{children}</div>
    <div className={css.side} data-side={form || sideLast ? 'last' : 'first'}>
      {side}
    </div>
  </div>
)

/** A row of figures or statuses in one frame without a title. */
export const Trio = ({ children }: { children: ReactNode }) => <div className={css.trio}>{children}</div>
