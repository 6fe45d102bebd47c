"""Shows one page in WebKitGTK: webkit.py URL PROFILE [--private], or webkit.py --version."""

import sys
import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

if sys.argv[1:] == ["--version"]:
    print(f"WebKitGTK {WebKit2.get_major_version()}.{WebKit2.get_minor_version()}.{WebKit2.get_micro_version()}")
    sys.exit()

url, profile = sys.argv[1:3]
if "--private" in sys.argv:
    manager = WebKit2.WebsiteDataManager.new_ephemeral()
else:
    manager = WebKit2.WebsiteDataManager(base_data_directory=profile, base_cache_directory=f"{profile}/cache")
context = WebKit2.WebContext(website_data_manager=manager)


def show(view):
    window = Gtk.Window(default_width=800, default_height=600)
    view.get_settings().set_property("javascript-can-open-windows-automatically", True)
    view.get_settings().set_property("enable-write-console-messages-to-stdout", True)
    view.connect("create", lambda opener, _: show(WebKit2.WebView(related_view=opener)))
    view.connect("close", lambda _: window.destroy())
    window.add(view)
    window.show_all()
    return view


show(WebKit2.WebView(web_context=context)).load_uri(url)
Gtk.main()
