import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Mono } from '../look/Mono.tsx'
import css from './Screen.module.css'

export interface PageHeaderProps {
  title: string
  /** Shows the title in the monospaced font, for machine names. */
  mono?: boolean
  /** Number of entries beside the title: "10,000+". */
  count?: string
  /** The status of the page: StatusBadge with `pill`. */
  badge?: ReactNode
  /** One line of facts, separated by Dot. */
  meta?: ReactNode
  /** At most one filled button. */
  actions?: ReactNode
  /** Tabs or saved views, attached to the lower edge. */
  tabs?: ReactNode
}

/** Header of a page: title, status, facts and actions. */
export const PageHeader = ({ title, mono, count, badge, meta, actions, tabs }: PageHeaderProps) => (
  <div className={css.header} data-tabs={tabs !== undefined || undefined}>
    <Group justify="space-between" gap="sm" align="flex-start">
      <div className={css.heading}>
        <Group gap={10} mih={32} wrap="nowrap" className={css.title}>
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
        <Group gap={8} maw="100%" style={{ flex: 'none' }} data-page-acts>
          {actions}
        </Group>
      )}
    </Group>
    {tabs && <div className={css.tabs}>{tabs}</div>}
  </div>
)

/** Separator between the facts of a header; hidden where it would begin a line. */
export const Dot = () => (
  <Text span c="dimmed" aria-hidden visibleFrom="sm">
    ·
  </Text>
)
