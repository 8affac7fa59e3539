"""What browsers of the year 2015 know of HTML and CSS, as far as we use it: two lists a kind.

The first list is what they know. The second is newer: each with what is lost where it is ignored,
which has to be nothing that scoring needs.
"""

ELEMENTS = set("""
    a b body button div fieldset footer form h1 h2 h3 head header html i img input label legend li
    link main meta nav noscript ol option p script section select small span title ul br
    """.split())
DRAWN = set("""
    a circle defs desc ellipse g image line lineargradient path polygon polyline radialgradient rect
    stop svg symbol text title tspan use
    """.split())
NEWER_ELEMENTS = {
    "progress": "the words beside it say the same",
    "details": "it stands open",
    "summary": "it is the first line of what stands open",
}

ATTRIBUTES = set("""
    accept accept-charset action alt autocomplete autofocus charset checked class colspan content
    defer dir disabled enctype for form formaction height hidden href http-equiv id lang max
    maxlength media method min multiple name placeholder readonly rel required role rowspan scope
    selected sizes size spellcheck src start tabindex target title type value width xlink:href
    """.split())
NEWER_ATTRIBUTES = {
    "autocapitalize": "the keyboard begins names with small letters",
    "autocorrect": "the keyboard may suggest words",
    "capture": "photos are chosen where they would be taken",
    "enterkeyhint": "the key says something else",
    "inputmode": "the keyboard opens with letters first",
}
FIELDS = {"checkbox", "file", "hidden", "number", "radio", "search", "submit", "tel", "text"}

PROPERTIES = set("""
    align-content align-items align-self animation background background-color background-image
    background-position background-repeat background-size border border-bottom border-bottom-color
    border-bottom-width border-collapse border-color border-left border-left-color border-radius
    border-right border-spacing border-style border-top border-top-color border-top-left-radius
    border-top-width border-width bottom box-shadow box-sizing clear clip color content cursor
    display fill fill-opacity flex flex-basis flex-direction flex-grow flex-shrink
    flex-wrap float font font-family font-feature-settings font-size font-style font-weight height
    justify-content left letter-spacing line-height list-style list-style-type margin margin-bottom
    margin-left margin-right margin-top max-height max-width min-height min-width opacity order
    outline outline-color outline-offset outline-width overflow overflow-x overflow-y padding
    padding-bottom padding-left padding-right padding-top page-break-after page-break-before
    page-break-inside pointer-events position right stop-color stroke stroke-dasharray
    stroke-linecap stroke-linejoin stroke-opacity stroke-width table-layout text-align text-anchor
    text-decoration text-indent text-overflow text-shadow text-transform top transform
    transform-origin transition vertical-align visibility white-space width word-break word-wrap
    z-index
    """.split())
NEWER_PROPERTIES = {
    "accent-color": "a tick has the browser's own colour",
    "appearance": "its prefixed twin is understood",
    "color-scheme": "scroll bars stay light by night",
    "font-variant-numeric": "font-feature-settings says the same",
    "object-fit": "a picture keeps the shape that its box gives it",
    "overflow-wrap": "word-wrap says the same",
    "scroll-margin": "a bar covers the head of what was jumped to, until one scrolls",
    "scroll-margin-top": "a bar covers the head of what was jumped to, until one scrolls",
    "scroll-padding": "a bar covers what the keyboard reached, until one scrolls",
    "text-size-adjust": "its prefixed twin is understood",
    "touch-action": "a double tap enlarges the page",
    "user-select": "words can be marked",
}

SHOWN_AS = set("""
    block inline inline-block none flex inline-flex table table-cell table-row list-item
    -webkit-flex -webkit-inline-flex -webkit-box
    """.split())
"""Values of ``display``."""
FUNCTIONS = set("""
    calc attr hsl hsla linear-gradient -webkit-linear-gradient matrix radial-gradient rect rgb rgba
    rotate scale scalex scaley skew translate translatex translatey translate3d url cubic-bezier
    steps
    """.split())
NEWER_FUNCTIONS = {"env", "max", "min"}
"""To be said a second time, after a value that everybody understands."""

PSEUDO = set("""
    active after before checked disabled empty enabled first-child first-letter first-of-type focus
    hover last-child last-of-type link not nth-child nth-last-child nth-of-type only-child
    only-of-type root target visited -webkit-input-placeholder
    -webkit-details-marker -moz-focus-inner -webkit-scrollbar -moz-placeholder
    """.split())
NEWER_PSEUDO = {
    "focus-visible": "the ring is shown for who touches, too",
    "focus-within": "the ring is missing around a field's neighbours",
    "placeholder": "its prefixed twin is understood",
    "marker": "a fold keeps the browser's own triangle",
    "file-selector-button": "the browser's own button is shown",
}
AT_RULES = {"media", "keyframes", "-webkit-keyframes", "supports", "page", "charset", "font-face"}
