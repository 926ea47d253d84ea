/** Main module of a plugin process: `node process.ts <plugin folder> <entry>`. Speaks frames on stdin and stdout. */
import { pluginProcess } from './plugin-process.ts'

process.exit(await pluginProcess(process.argv.slice(2)))
