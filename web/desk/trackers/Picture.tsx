import type { Attachment } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiOf } from './api.ts'
import css from './trackers.module.css'

/** Larger pictures open on request only. */
const LARGEST = 6 * 2 ** 20
/** Formats that browsers show and that run nothing. */
const shown = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
export const isPicture = ({ type, size }: Attachment): boolean => shown.includes(type) && size <= LARGEST

interface Props {
  tracker: Tracker
  /** The item that has the file. */
  id: number
  file: Attachment
  onOpen: () => void
}

/** A picture of an item in small; it opens in full. */
export function Picture({ tracker, id, file, onOpen }: Props) {
  const { data } = useQuery({
    ...apiOf(tracker).download.query({ id, fileId: file.id, inline: 'true' }),
    staleTime: Number.POSITIVE_INFINITY, // the contents of a file never change
  })
  const [src, setSrc] = useState<string>()
  useEffect(() => {
    if (!(data instanceof Blob)) return
    const url = URL.createObjectURL(new Blob([data], { type: file.type }))
    setSrc(url)
    return () => URL.revokeObjectURL(url)
  }, [data, file.type])
  return (
    <button type="button" className={css.picture} aria-label={`Open ${file.name}`} title={file.name} onClick={onOpen}>
      {src ? <img src={src} alt="" /> : <Skeleton h={96} />}
    </button>
  )
}
