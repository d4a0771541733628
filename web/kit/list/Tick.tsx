import { type ComponentProps, useEffect, useRef } from 'react'
import css from './Tick.module.css'

type Props = Omit<ComponentProps<'input'>, 'type' | 'className' | 'ref'> & {
  /** Indeterminate: some of the rows are selected. */
  some?: boolean
}

/** Mantine's checkbox as one element, because a page of rows renders fifty. */
export function Tick({ some = false, ...props }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = some
  }, [some])
  // React requires onChange on a controlled checkbox; a click handler also receives key presses
  const onChange = props.onChange ?? (() => {})
  return <input ref={input} type="checkbox" className={css.tick} {...props} onChange={onChange} />
}
