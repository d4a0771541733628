import { ActionIcon } from '@mantine/core'
import { IconPin, IconPinnedFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { nameOf } from '../../kit/frame/names.ts'
import { type Leaf, leafName } from '../../menuView.ts'
import { useFrameTexts } from '../texts.ts'
import { pictograms } from './pictograms.ts'
import css from './Sidebar.module.css'

/** Milliseconds after which the group of the active entry has opened; see MenuTree. */
const OPENED = 150

interface Props {
  leaf: Leaf
  active: boolean
  /** Shows the path of groups, "DNS / Zones", and the pictogram of the group. */
  full?: boolean
  /** Hides the pictogram, which the group above shows. */
  bare?: boolean
  pin?: { pinned: boolean; toggle: (path: string) => void }
}

export function NavItem({ leaf, active, full, bare, pin }: Props) {
  const { item, groups } = leaf
  const name = leafName(leaf)
  const label = full ? name : nameOf(item.label)
  const words = useFrameTexts()
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
        {!bare && <Pictogram of={groups[0] ?? item.label} />}
        <span className={css.label}>{label}</span>
      </Link>
      {pin && (
        <ActionIcon
          className={css.pin}
          size={20}
          aria-label={pin.pinned ? words.unpin(name) : words.pin(name)}
          onClick={() => pin.toggle(item.path)}
        >
          {pin.pinned ? <IconPinnedFilled size={13} /> : <IconPin size={13} />}
        </ActionIcon>
      )}
    </div>
  )
}

export function Pictogram({ of, on }: { of: string; on?: boolean }) {
  const Icon = pictograms[of]
  return (
    <span className={css.pictogram} data-on={on || undefined} aria-hidden>
      {Icon && <Icon size={16} stroke={1.6} />}
    </span>
  )
}
