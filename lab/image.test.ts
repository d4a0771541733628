import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ensureImage, imageName, type Step } from './image.ts'
import { imagesDir, settle } from './places.ts'
import { must, run } from './run.ts'
import { onHosts, scratch } from './testing.ts'
import { unpack } from './tools.ts'

describe('the image of the practice servers', onHosts, () => {
  test('is built once and reused afterwards', async () => {
    const name = await ensureImage(imagesDir())
    const steps: Step[] = []
    expect(await ensureImage(imagesDir(), (step) => steps.push(step))).toBe(name)
    expect(steps).toEqual([])
    expect(await readdir(join(imagesDir(), name))).toContain('etc')
  })

  test('starts no service and contains nothing of the build machine', async () => {
    const etc = join(imagesDir(), await ensureImage(imagesDir()), 'etc')
    const wanted = join(etc, 'systemd/system/multi-user.target.wants')
    expect(existsSync(wanted) ? await readdir(wanted) : []).toEqual([])
    expect((await readFile(join(etc, 'machine-id'), 'utf8')).trim()).toBe('')
    for (const file of ['hostname', 'resolv.conf', 'apt/sources.list']) expect(existsSync(join(etc, file))).toBe(false)
  })

  test('reports each step; an interrupted build leaves no process and is removed by the next build', async () => {
    const dir = scratch()
    const images = settle(join(dir, 'image'))
    const aside = join(images, `building-${await imageName()}`)
    await mkdir(join(aside, 'from-an-earlier-build'), { recursive: true })
    const stop = new AbortController()
    const steps: Step[] = []
    const build = ensureImage(
      images,
      (step) => {
        steps.push(step)
        if (step.text.startsWith('Downloading')) stop.abort()
      },
      stop.signal,
    )
    await expect(build).rejects.toThrow('interrupted')
    expect(steps.at(0)).toMatchObject({ text: 'Reading the package lists', done: 0 })
    expect(steps.at(-1)?.text).toMatch(/^Downloading [a-z0-9]/)
    expect(existsSync(join(aside, 'from-an-earlier-build'))).toBe(false)
    expect((await run(['pgrep', '-f', aside])).stdout).toBe('')
    expect(existsSync(join(images, await imageName()))).toBe(false)
    await rm(dir, { recursive: true, force: true })
  })

  test('is built with a copy of mmdebstrap if the machine has none', async () => {
    const dir = scratch()
    await unpack('mmdebstrap', dir)
    expect(await must([join(dir, 'usr/bin/mmdebstrap'), '--version'])).toMatch(/^mmdebstrap 1\./)
    await rm(dir, { recursive: true, force: true })
  })
})
