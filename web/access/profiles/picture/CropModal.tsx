import { Button, Group, Slider, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { crop, draw, type Square } from './crop.ts'
import css from './Picture.module.css'

const SHOWN = 280
const STEP = 0.02
const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface Props {
  picture: ImageBitmap
  close: () => void
  save: (image: Blob) => Promise<unknown>
}

/** Chooses the square to keep: dragging or arrow keys move it, the slider zooms. */
export function CropModal({ picture, close, save }: Props) {
  const [square, setSquare] = useState<Square>({ x: 0.5, y: 0.5, zoom: 1 })
  const canvas = useRef<HTMLCanvasElement>(null)
  const { busy, run } = useAct()
  useEffect(() => {
    if (canvas.current) draw(canvas.current, picture, square)
  }, [picture, square])

  const share = (value: number) => Math.min(1, Math.max(0, value))
  const move = (dx: number, dy: number) =>
    setSquare((now) => ({ ...now, x: share(now.x + dx / now.zoom), y: share(now.y + dy / now.zoom) }))
  const onKeyDown = (event: KeyboardEvent) => {
    const way = arrows[event.key]
    if (!way) return
    event.preventDefault()
    move(way[0] * STEP, way[1] * STEP)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (event.buttons === 1) move(-event.movementX / SHOWN, -event.movementY / SHOWN)
  }

  return (
    <Dialog opened onClose={close} title="Choose the part to show" size={360}>
      <Stack gap={14} align="center">
        <button type="button" className={css.stage} aria-label="Your picture: arrow keys move it" onKeyDown={onKeyDown}>
          <canvas
            ref={canvas}
            width={SHOWN}
            height={SHOWN}
            onPointerMove={onPointerMove}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          />
        </button>
        <div className={css.zoom}>
          <Text fz="xs" c="dimmed" mb={4}>
            Nearer
          </Text>
          <Slider
            min={1}
            max={4}
            step={0.05}
            label={null}
            value={square.zoom}
            onChange={(zoom) => setSquare((now) => ({ ...now, zoom }))}
            thumbLabel="Nearer"
          />
        </div>
        <Group justify="flex-end" w="100%" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button loading={busy} onClick={() => void run(async () => save(await crop(picture, square)))}>
            Save picture
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
