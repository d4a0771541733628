import type { Practice } from '../../../test/practice.ts'

/**
 * Runs `work` while the folder of web1 is an overlay over two file systems, as in a container, with another mount below.
 * Files of such an overlay have another device number than their folder.
 */
export async function layered<T>(p: Pick<Practice<never>, 'sh'>, path: string, work: () => Promise<T>): Promise<T> {
  const above = '/mnt/above'
  await p.sh(
    'sh',
    '-euc',
    `mkdir -p ${above} && mount -t tmpfs above ${above}
    mkdir ${above}/upper ${above}/work && chown web1:web1 ${above}/upper
    mount -t overlay overlay -o lowerdir=${path},upperdir=${above}/upper,workdir=${above}/work ${path}
    echo new > ${path}/public/above.txt && mkdir ${path}/public/mount && mount -t tmpfs other ${path}/public/mount
    echo elsewhere > ${path}/public/mount/elsewhere.txt`,
  )
  try {
    return await work()
  } finally {
    await p.sh('sh', '-euc', `umount ${path}/public/mount ${path} ${above}`)
  }
}
