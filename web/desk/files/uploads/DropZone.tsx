import { Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import css from '../Files.module.css'

interface Props {
  /** Name of the target: "into Contracts". */
  where: string
  /** Absent if the person may not upload. */
  onFiles?: (files: File[]) => void
  children: ReactNode
}

/** Accepts dropped files. Keyboard users upload by the Upload button. */
export function DropZone({ where, onFiles, children }: Props) {
  const [over, setOver] = useState(false)
  const depth = useRef(0)
  const carries = ({ dataTransfer }: DragEvent) => onFiles !== undefined && dataTransfer.types.includes('Files')
  const move = (event: DragEvent, by: 1 | -1) => {
    if (!carries(event)) return
    event.preventDefault()
    // entering a child fires a leave of its parent: only the last leave counts
    depth.current = Math.max(0, depth.current + by)
    setOver(depth.current > 0)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping needs a mouse; the Upload button works by keyboard
    <div
      className={css.zone}
      onDragEnter={(event) => move(event, 1)}
      onDragLeave={(event) => move(event, -1)}
      onDragOver={(event) => carries(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!carries(event)) return
        event.preventDefault()
        depth.current = 0
        setOver(false)
        // browsers pass a dropped folder as a file without size and type
        onFiles?.([...event.dataTransfer.files].filter(({ size, type }) => size > 0 || type !== ''))
      }}
    >
      {children}
      {over && (
        <div className={css.drop}>
          <IconUpload size={26} aria-hidden />
          <Text fw={600}>Drop to upload {where}</Text>
        </div>
      )}
    </div>
  )
}
