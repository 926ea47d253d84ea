/** All layering rules over a set of files; the house test runs it over the repository and over planted violations. */
import { packageFolders, type SourceFile } from '../sources/tree.ts'
import { checkEntries } from './entries.ts'
import { LAYERING_EXCEPTIONS } from './exceptions.ts'
import { checkPackages, readPackageFiles } from './packages.ts'
import { checkRooms } from './rooms.ts'
import { checkShape } from './shape.ts'
import { checkTestBorder } from './test-border.ts'
import { type Violation, withoutExceptions } from './violation.ts'

/** Every violation of the house's arrows, after the listed exceptions, in order of file and line. */
export function checkLayering(files: readonly SourceFile[]): Violation[] {
  return withoutExceptions(checkAll(files), LAYERING_EXCEPTIONS).sort(
    (a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line,
  )
}

/** Every violation, exceptions or not. */
export function checkAll(files: readonly SourceFile[]): Violation[] {
  const packageFiles = readPackageFiles(packageFolders())
  const folderOf = new Map([...packageFiles].map(([folder, file]) => [file.name, folder]))
  return [
    ...checkPackages(files, packageFiles),
    ...checkRooms(files),
    ...checkEntries(files, folderOf),
    ...checkShape(files),
    ...checkTestBorder(files),
  ]
}
