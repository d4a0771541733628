import { type ComponentProps, useEffect, useRef } from 'react'
import css from './Tick.module.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className' | 'ref'> & {
  /** Some of what it stands for, not all. */
  some?: boolean
}

/** Mantine's checkbox as one element: a page of rows has fifty of them. */
export function Tick({ some = false, ...props }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = some
  }, [some])
  // who listens to clicks hears what happens by key too
  const onChange = props.onChange ?? (() => {})
  return <input ref={input} type="checkbox" className={css.tick} {...props} onChange={onChange} />
}
