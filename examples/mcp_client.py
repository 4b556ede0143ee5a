"""An MCP client: starts `medsafe mcp` and checks a regimen. Needs: pip install "medsafe[mcp]"

python examples/mcp_client.py
"""

import sys
from pathlib import Path

import anyio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

MEDSAFE = str(Path(sys.executable).with_name("medsafe"))


async def main() -> None:
    """List the tools, check a regimen, ask why."""
    async with Client(stdio_client(StdioServerParameters(command=MEDSAFE, args=["mcp"]))) as client:
        print("tools  ", ", ".join(tool.name for tool in (await client.list_tools()).tools))
        case = {"as_of": "2026-11-20", "patient": {"medications": ["warfarin 5 mg daily"]}, "plan": ["ibuprofen 400 mg tid"]}
        answer = (await client.call_tool("check_regimen", case)).structured_content
        print("verdict", answer["verdict"])
        for finding in answer["findings"]:
            print("task   ", finding["task"])
        why = await client.call_tool("explain", {"rule": answer["findings"][0]["rule"]})
        print("why    ", why.structured_content["why"])


anyio.run(main)
