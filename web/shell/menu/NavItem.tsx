import { ActionIcon } from '@mantine/core'
import { IconPin, IconPinnedFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { initials } from '../../kit/look/initials.ts'
import type { Leaf } from '../../menuView.ts'
import css from './Sidebar.module.css'

/** Milliseconds after which the group of the active entry has opened; see MenuTree. */
const OPENED = 150

interface Props {
  leaf: Leaf
  active: boolean
  /** Shows the path of groups, "DNS / Zones", and the tag of the group. */
  full?: boolean
  /** Hides the tag, which the group above shows. */
  bare?: boolean
  pin?: { pinned: boolean; toggle: (path: string) => void }
}

export function NavItem({ leaf: { item, groups, name }, active, full, bare, pin }: Props) {
  const label = full ? name : item.label
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => link.current?.scrollIntoView({ block: 'nearest' }), OPENED)
    return () => clearTimeout(timer)
  }, [active])
  return (
    <div className={css.row}>
      <Link
        ref={link}
        to={item.path}
        className={css.item}
        data-active={active || undefined}
        aria-current={active ? 'page' : undefined}
        title={label.length > 24 ? label : undefined}
        activeProps={{}}
      >
        {!bare && <Tag>{initials(full ? (groups[0] ?? item.label) : item.label)}</Tag>}
        <span className={css.label}>{label}</span>
      </Link>
      {pin && (
        <ActionIcon
          className={css.pin}
          size={20}
          aria-label={pin.pinned ? `Unpin ${name}` : `Pin ${name}`}
          onClick={() => pin.toggle(item.path)}
        >
          {pin.pinned ? <IconPinnedFilled size={13} /> : <IconPin size={13} />}
        </ActionIcon>
      )}
    </div>
  )
}

export const Tag = ({ children, on }: { children: string; on?: boolean }) => (
  <span className={css.tag} data-on={on || undefined} aria-hidden>
    {children}
  </span>
)
