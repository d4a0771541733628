import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Mono } from '../look/Mono.tsx'
import css from './Screen.module.css'

export interface PageHeaderProps {
  title: string
  /** The title is a name that a machine reads. */
  mono?: boolean
  /** How many there are, beside the title: "10,000+". */
  count?: string
  /** The one pill: StatusBadge with `pill`. */
  badge?: ReactNode
  /** One line of facts, parted by Dot. */
  meta?: ReactNode
  /** At most one filled button. */
  actions?: ReactNode
  /** Tabs or saved views, which hang below without a gap. */
  tabs?: ReactNode
}

/** Title, what is true of it now, what one may do. */
export const PageHeader = ({ title, mono, count, badge, meta, actions, tabs }: PageHeaderProps) => (
  <div className={css.header} data-tabs={tabs !== undefined || undefined}>
    <Group justify="space-between" gap="sm" align="flex-start">
      <div className={css.heading}>
        <Group gap={10} mih={32} wrap="nowrap">
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {mono ? (
              <Mono fz="inherit" fw={600}>
                {title}
              </Mono>
            ) : (
              title
            )}
          </Title>
          {count && (
            <Text c="dimmed" className="num" style={{ whiteSpace: 'nowrap' }}>
              {count}
            </Text>
          )}
          {badge}
        </Group>
        {meta && (
          <Group gap={6} c="dimmed" mt={2} style={{ rowGap: 2 }}>
            {meta}
          </Group>
        )}
      </div>
      {actions && (
        <Group gap={8} wrap="nowrap" style={{ flex: 'none' }}>
          {actions}
        </Group>
      )}
    </Group>
    {tabs && <div className={css.tabs}>{tabs}</div>}
  </div>
)

/** Between the facts of a header; not where they wrap, as it would begin a line. */
export const Dot = () => (
  <Text span c="dimmed" aria-hidden visibleFrom="sm">
    ·
  </Text>
)
