import { Menu, type MenuItemProps, Tooltip } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './MenuAction.module.css'

interface Props {
  label: string
  icon?: ReactNode
  /** Why the action is disabled: `lacking(…)` of reasons.ts, or a sentence of the screen. */
  reason?: string
  danger?: boolean
  onClick: () => void
}

/** A menu item that explains why it is disabled. It stays focusable, so that keyboards reach the reason. */
export function MenuAction({ label, icon, reason, danger, onClick }: Props) {
  const props: MenuItemProps = { leftSection: icon, color: danger && !reason ? 'error' : undefined }
  if (!reason)
    return (
      <Menu.Item {...props} onClick={onClick}>
        {label}
      </Menu.Item>
    )
  return (
    <Tooltip label={reason} position="left" openDelay={0}>
      <Menu.Item {...props} className={css.off} aria-disabled closeMenuOnClick={false}>
        {label}
      </Menu.Item>
    </Tooltip>
  )
}
