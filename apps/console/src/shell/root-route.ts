/** The route above all others. Its frame is given to it by the router, so that pages can hang on it without loading the frame. */
import { createRootRoute } from '@tanstack/react-router'

export const rootRoute = createRootRoute()
